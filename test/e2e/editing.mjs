// What a person sees of Berth while editing, used through the browser. With `--pictures` there are pictures in artifacts/.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isThorough } from '../support/isThorough.mjs';
import { partsOf } from './preview/parts.mjs';
import { artifacts } from './session.mjs';

/** Steps that build on each other, in the folder `web` of the session; the last ones change what the settings say of the whole workspace. */
export function stepsOfEditing(session) {
  const { page, preview, command } = session;
  const folder = join(session.folder, 'web');
  const shot = name => session.picture(join(artifacts, `${name}.png`));
  const { openAll } = partsOf(session);
  // Before the editor lists the files: it finds by name what was there when a file was opened by its name last.
  writeFileSync(join(folder, 'values.yaml'), 'replicas: 2\n');

  const squiggle = page.locator('.monaco-editor .squiggly-error');
  /** Spaces of a line are drawn as U+00A0, and a line is cut into spans where its colours change. */
  const word = text => page.locator('.view-line span > span', { hasText: new RegExp(`^\\s*${text}$`) }).last();
  const lens = page.locator('.codelens-decoration a', { hasText: /east-[12]/ });
  const status = page.locator('.statusbar-item[id="berth.berth.berth.status"]');
  const row = label =>
    page.locator('.quick-input-list .monaco-list-row', {
      has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }),
    });
  const placed = count => preview.locator('.counts', { hasText: `${count} placed` });

  const previewTab = page.locator('.tab', { hasText: /^Placement$/ });
  /** The button in the title of an editor. */
  const previewButton = page.locator('.editor-actions [aria-label^="Preview Placement"]');

  async function close(tab) {
    await tab.click({ button: 'middle' });
    await tab.waitFor({ state: 'detached' });
  }

  /** Opens a file of the folder beside the one that is open. */
  async function openBeside(file) {
    await session.openByName(file);
    await page.locator('.tab.active', { hasText: file }).waitFor();
  }

  const chip = words => preview.locator('.strip .chip', { hasText: words });

  /** Takes everything back that the preview tries. */
  async function forgetTries() {
    await preview.getByRole('button', { name: 'Reset' }).press('Enter');
    await preview.locator('.strip').waitFor({ state: 'detached' });
  }

  /** Types a value in the place of one that stands there. */
  async function retype(text, replacement) {
    await word(text).dblclick();
    await page.keyboard.type(replacement);
  }

  return {
    'opens a manifest': () => session.openAlone('web/web.yaml'),
    'underlines a key that the API server does not know': () => squiggle.first().waitFor(),
    'says in the status bar for what cluster it speaks': () =>
      status.filter({ hasText: /Berth: 1\.37 · .*workspace/ }).waitFor(),
    'says above the Deployment where its Pods land': async () => {
      await lens.first().waitFor();
      await shot('editor');
    },
    'explains a field in the hover': async () => {
      await word('replicas').hover();
      await page
        .locator('.monaco-hover:visible', { hasText: /number of desired pods/i })
        .first()
        .waitFor();
      await shot('hover');
      await page.keyboard.press('Escape');
    },
    'lists the problem with its code': async () => {
      await command('Problems: Focus on Problems View');
      await page.locator('.markers-panel .monaco-list-row', { hasText: 'imagePullPolcy' }).first().waitFor();
      await shot('problems');
      await command('View: Hide Panel');
    },
    'fixes the problem with its quick fix': async () => {
      await word('imagePullPolcy').click();
      await session.chooseFix('imagePullPolicy', () => shot('quick-fix'));
      await squiggle.waitFor({ state: 'detached' });
      await word('imagePullPolicy').waitFor();
    },
    'completes what is typed': async () => {
      const suggestion = page.locator('.suggest-widget.visible .monaco-list-row');
      await word('Always').dblclick();
      await page.keyboard.type('If');
      await suggestion.filter({ hasText: 'IfNotPresent' }).first().waitFor();
      await shot('completion');
      await page.keyboard.press('Enter');
      await word('IfNotPresent').waitFor();
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.keyboard.type('liven');
      await suggestion.filter({ hasText: 'livenessProbe' }).first().waitFor();
      await page.keyboard.press('Enter');
      await word('livenessProbe').waitFor();
      await page.locator('.suggest-widget.visible .monaco-list-row', { hasText: 'httpGet' }).first().waitFor();
      await shot('completion-nested');
      await page.keyboard.press('Escape');
    },
    'shows beside the fields what becomes of them': async () => {
      await page.locator('.view-line', { hasText: 'matches 2 of 3 nodes' }).waitFor();
      await page.locator('.view-line', { hasText: 'requests 500m CPU, 256Mi memory · Burstable' }).waitFor();
      await shot('hints');
    },
    'offers the preview in the title of a manifest, and of no other YAML file': async () => {
      await previewButton.waitFor();
      await shot('title-button');
      await openBeside('values.yaml');
      await previewButton.waitFor({ state: 'detached' });
      // Not typed: a list of suggestions that comes in between would take the line break.
      writeFileSync(join(folder, 'values.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n');
      await previewButton.waitFor();
      await close(page.locator('.tab.active', { hasText: 'values.yaml' }));
      await page.locator('.tab.active', { hasText: 'web.yaml' }).waitFor();
      rmSync(join(folder, 'values.yaml'));
    },
    'opens the preview from that button, from its key and from the menu of the text': async () => {
      await previewButton.click();
      await placed(2).waitFor();
      await close(previewTab);
      await word('replicas').click();
      await page.keyboard.press('Control+k');
      await page.keyboard.press('v');
      await placed(2).waitFor();
      await close(previewTab);
      // Another word, as the cursor lies over the one that was clicked.
      await word('selector').click({ button: 'right' });
      const entry = page.locator('.context-view .action-item', { hasText: 'Preview Placement' });
      await entry.waitFor();
      await shot('context-menu');
      // Menus of VS Code pass over a click in their first moments.
      await entry.hover();
      await page.keyboard.press('Enter');
      await placed(2).waitFor();
      await close(previewTab);
    },
    'opens the preview from the code lens': async () => {
      await lens.first().click();
      await placed(2).waitFor();
      await shot('preview');
      await openAll();
      await preview.locator('[role="treeitem"][aria-level="3"]').nth(1).waitFor();
    },
    'follows an edit in the preview': async () => {
      await retype('2', '3');
      await placed(3).waitFor();
      await preview.locator('[role="treeitem"][aria-level="3"]').nth(2).waitFor();
    },
    // The part of the nodes shows this on a Pod that waits, without an edit.
    ...(isThorough && {
      'shows why a Pod fits nowhere': async () => {
        await retype('east', 'north');
        await preview.locator('.counts', { hasText: '3 pending' }).waitFor();
        await preview.getByText("didn't match Pod's node affinity/selector").first().waitFor();
        await shot('unschedulable');
        await retype('north', 'east');
        await placed(3).waitFor();
      },
    }),
    'sets ways to score and the best possible placement side by side': async () => {
      await preview.getByRole('tab', { name: 'Compare' }).click();
      await preview.locator('.progress', { hasText: 'All are there.' }).waitFor();
      await preview.locator('.optimum', { hasText: /^Proven: / }).waitFor();
      await preview
        .locator('td', { hasText: /^proven best$/ })
        .first()
        .waitFor();
      const right = preview.locator('.sides label', { hasText: 'Right' }).locator('select');
      await right.selectOption({ label: 'pack' });
      const packed = preview.locator('.moves tbody tr', { hasText: 'Deployment/web' });
      await packed.first().waitFor();
      await preview.locator('.sides [role="status"]', { hasText: /lies? elsewhere; 2 nodes differ/ }).waitFor();
      await preview.locator('.sides').scrollIntoViewIfNeeded();
      await shot('compare');
      await preview.getByRole('tab', { name: 'Compare' }).press('ArrowLeft');
      await preview.locator('.workloads tbody tr').first().waitFor();
    },
    'tries any number of replicas': async () => {
      const scale = preview.getByRole('button', { name: 'Scale Deployment/web' });
      await scale.press('Enter');
      await page.keyboard.press('Escape');
      await preview.locator('.asking').waitFor({ state: 'detached' });
      await page.keyboard.press('Enter');
      await preview.locator('.asking input:focus').waitFor();
      await page.keyboard.type('5');
      await page.keyboard.press('Enter');
      await chip('Deployment/web with 5 replicas').waitFor();
      await scale.click();
      await preview.locator('.asking select').selectOption({ label: 'times as many' });
      await preview.locator('.asking input').fill('0.4');
      await preview.locator('.asking').getByRole('button', { name: 'Try' }).click();
      await chip('Deployment/web with 2 replicas').waitFor();
      await preview.getByRole('tab', { name: 'Workloads' }).press('ArrowLeft');
      await forgetTries();
    },
    'tries another profile, where there are two': async () => {
      const choice = preview.locator('.choice', { hasText: 'Profile' });
      assert.equal(await choice.count(), 0);
      const profiles = ['default-scheduler', 'other'].map(it => `  - schedulerName: ${it}\n`).join('');
      const configuration = `apiVersion: kubescheduler.config.k8s.io/v1\nkind: KubeSchedulerConfiguration\nprofiles:\n${profiles}`;
      writeFileSync(join(folder, 'scheduler.yaml'), configuration);
      await choice.locator('select').selectOption('other');
      await chip('Profile: other').waitFor();
      await forgetTries();
      rmSync(join(folder, 'scheduler.yaml'));
      await choice.waitFor({ state: 'detached' });
    },
    'shows where a Pod is written': async () => {
      const cursor = page.locator('.statusbar-item[id="status.editor.selection"]');
      await preview.locator('.decision > button').click();
      await cursor.filter({ hasText: /^Ln 1, Col 1$/ }).waitFor();
    },
    'changes the Kubernetes version from the status bar': async () => {
      await status.click();
      await row('Select Kubernetes version').click();
      await row('Kubernetes 1.35').click();
      await status.filter({ hasText: 'Berth: 1.35' }).waitFor();
      await preview.getByText('Kubernetes 1.35').waitFor();
      assert.match(
        readFileSync(join(session.folder, '.vscode/settings.json'), 'utf8'),
        /"berth\.kubernetesVersion": "1\.35"/,
      );
    },
    'changes the cluster from the status bar': async () => {
      await status.click();
      await row('Select cluster source').click();
      // Below the folders that have Nodes, which the list waits for.
      await page.getByPlaceholder('Cluster on which placements are computed').fill('Example cluster');
      await row('Example cluster').click();
      await status.filter({ hasText: 'example' }).waitFor();
      await preview.locator('.facts', { hasText: 'example' }).waitFor();
    },
    'has nothing to complain about': async () => {
      assert.deepEqual(await page.locator('.notification-list-item').allInnerTexts(), []);
    },
  };
}
