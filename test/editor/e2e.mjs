// What a person sees: Berth, from its .vsix (or, without an argument, from this folder), used through the browser. Writes
// the counts into artifacts/e2e.json and pictures into artifacts/. `--update-screenshot` renews the README's picture.
import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { copyWorkspace, openBrowser, startEditor } from './host.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { 'update-screenshot': { type: 'boolean', default: false } },
});
const root = resolve(import.meta.dirname, '../..');
const artifacts = join(root, 'artifacts');
mkdirSync(artifacts, { recursive: true });
const folder = copyWorkspace(join(import.meta.dirname, 'workspace'));
const file = join(folder, 'web.yaml');

const editor = await startEditor({
  extension: resolve(positionals[0] ?? root),
  settings: { 'workbench.colorTheme': 'Dark 2026' },
});
const { browser, page } = await openBrowser();

const shot = name => page.screenshot({ path: join(artifacts, `${name}.png`) });
const squiggle = page.locator('.monaco-editor .squiggly-error');
/** Spaces of a line are drawn as U+00A0, and a line is cut into spans where its colours change. */
const word = text => page.locator('.view-line span > span', { hasText: new RegExp(`^\\s*${text}$`) }).last();
const lens = page.locator('.codelens-decoration a', { hasText: /east-[12]/ });
const status = page.locator('.statusbar-item[id="berth.berth.berth.status"]');
const row = label =>
  page.locator('.quick-input-list .monaco-list-row', {
    has: page.locator('.label-name', { hasText: new RegExp(`^${label}$`) }),
  });
const preview = page.frameLocator('iframe.webview.ready').frameLocator('iframe#active-frame');
const placed = count => preview.locator('.counts', { hasText: `${count} placed` });

const chip = words => preview.locator('.strip .chip', { hasText: words });

/** Takes everything back that the preview tries. */
async function forgetTries() {
  await preview.getByRole('button', { name: 'Reset' }).press('Enter');
  await preview.locator('.strip').waitFor({ state: 'detached' });
}

/** Runs a command of the palette by its full title; Enter would take whatever row comes first. */
async function command(title) {
  await page.keyboard.press('F1');
  await page.locator('.quick-input-widget input').fill(`>${title}`);
  const exact = page.locator('.label-name', { hasText: new RegExp(`^${title.replaceAll('.', '\\.')}$`) });
  await page.locator('.quick-input-list .monaco-list-row').filter({ has: exact }).first().click();
}

/** Types a value in the place of one that stands there. */
async function retype(text, replacement) {
  await word(text).dblclick();
  await page.keyboard.type(replacement);
}

/** Writes the settings of the folder, as an editor of another window would. */
function configure(settings) {
  mkdirSync(join(folder, '.vscode'), { recursive: true });
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify(settings));
}

/** Runs in the page: WCAG's contrast ratio of an element's text on what is behind it. */
function contrastOf(element) {
  const channels = color => (color.match(/[\d.]+/g) ?? []).map(Number);
  const behind = it => {
    for (let node = it; node; node = node.parentElement) {
      const color = channels(getComputedStyle(node).backgroundColor);
      if (color.length === 3 || color[3] > 0) return color;
    }
    return [0, 0, 0];
  };
  const luminance = ([red, green, blue]) => {
    const linear = [red, green, blue].map(it => (it <= 10 ? it / 3294.6 : ((it / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const [dark, light] = [luminance(channels(getComputedStyle(element).color)), luminance(behind(element))].sort(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

const steps = {
  'opens a manifest': async () => {
    const payload = [
      ['openFile', editor.uri(file)],
      ['skipWelcome', 'true'],
    ];
    await page.goto(editor.address(folder, payload));
    await page.locator('.tab', { hasText: 'web.yaml' }).waitFor();
  },
  'underlines a key that the API server does not know': () => squiggle.first().waitFor(),
  'says in the status bar for what cluster it speaks': () =>
    status.filter({ hasText: /Berth: 1\.37 · .*workspace/ }).waitFor(),
  'says above the Deployment where its Pods land': async () => {
    await lens.first().waitFor();
    await shot('editor');
  },
  'tells in the hover what a field means': async () => {
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
  'mends the problem with its quick fix': async () => {
    await word('imagePullPolcy').click();
    await page.keyboard.press('Control+.');
    const fix = page.locator('.action-widget .monaco-list-row', { hasText: 'imagePullPolicy' });
    await fix.first().waitFor();
    await shot('quick-fix');
    await fix.first().click();
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
  'tells beside the fields what becomes of them': async () => {
    await page.locator('.view-line', { hasText: 'matches 2 of 3 nodes' }).waitFor();
    await page.locator('.view-line', { hasText: 'requests 500m CPU, 256Mi memory · Burstable' }).waitFor();
    await shot('hints');
  },
  'opens the preview from the code lens': async () => {
    await command('View: Toggle Primary Side Bar Visibility');
    await lens.first().click();
    await placed(2).waitFor();
    await preview.locator('[role="option"]').nth(1).waitFor();
    await shot('preview');
  },
  'follows an edit in the preview': async () => {
    await retype('2', '3');
    await placed(3).waitFor();
    await preview.locator('[role="option"]').nth(2).waitFor();
  },
  'shows why a Pod fits nowhere': async () => {
    await retype('east', 'north');
    await preview.locator('.counts', { hasText: '3 pending' }).waitFor();
    await preview.getByText("didn't match Pod's node affinity/selector").first().waitFor();
    await shot('unschedulable');
  },
  'applies a change that would give the Pod a node, and takes it back': async () => {
    await preview.locator('.suggestions button:enabled').first().press('Enter');
    await placed(3).waitFor();
    await page.locator('.notification-list-item').getByRole('button', { name: 'Undo' }).click();
    await preview.locator('.counts', { hasText: '3 pending' }).waitFor();
    await retype('north', 'east');
    await placed(3).waitFor();
  },
  'tries a node down, and forgets it': async () => {
    const before = await word('3').innerText();
    await preview.getByRole('button', { name: 'Try east-1 down' }).press('Enter');
    await preview.locator('.strip .chip', { hasText: 'east-1 down' }).waitFor();
    await preview.getByRole('group', { name: /^east-1/ }).waitFor({ state: 'detached' });
    await shot('what-if');
    await preview.getByRole('button', { name: 'Reset' }).press('Enter');
    await preview.locator('.strip').waitFor({ state: 'detached' });
    await preview.getByRole('group', { name: /^east-1/ }).waitFor();
    assert.equal(await word('3').innerText(), before);
  },
  'steps through the turns of the queue': async () => {
    await preview.locator('.timeline input').press('Home');
    await preview.getByText('Turn 0 of 3').waitFor();
    await preview.locator('.timeline input').press('ArrowRight');
    await preview.locator('.timeline', { hasText: /Turn 1 of 3.*lands on/ }).waitFor();
    await preview.getByRole('button', { name: 'After the last turn' }).click();
  },
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
  'tries another cluster': async () => {
    await preview.getByRole('button', { name: 'Cluster…' }).press('Enter');
    await preview.getByRole('menuitem', { name: 'Default cluster' }).press('Enter');
    await chip('Cluster: Default cluster').waitFor();
    await preview.locator('.facts', { hasText: 'default cluster' }).waitFor();
    await shot('other-cluster');
    await forgetTries();
    await preview.locator('.facts', { hasText: 'of the workspace' }).waitFor();
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
  'explains the Pod that is chosen in the preview': async () => {
    const option = preview.locator('[role="option"]').nth(2);
    await option.click();
    await preview.locator('[role="option"][aria-selected="true"]').waitFor();
    assert.equal(await option.getAttribute('aria-selected'), 'true');
    await preview.locator('.decision', { hasText: /east-[12]/ }).waitFor();
  },
  'shows where a Pod is written': async () => {
    const cursor = page.locator('.statusbar-item[id="status.editor.selection"]');
    await preview.locator('.decision > button').click();
    await cursor.filter({ hasText: /^Ln 1, Col 1$/ }).waitFor();
  },
  'can be read in light and in high contrast': async () => {
    const themes = { light: ['Light 2026', 'vs'], contrast: ['Default High Contrast', 'hc-black'] };
    for (const [name, [theme, css]] of Object.entries(themes)) {
      configure({ 'workbench.colorTheme': theme });
      await page.locator(`.monaco-workbench.${css}`).waitFor();
      await preview.locator(`body.vscode-${name === 'light' ? 'light' : 'high-contrast'}`).waitFor();
      const ratio = await preview.locator('.decision').evaluate(contrastOf);
      assert.ok(ratio >= 4.5, `${theme}: a contrast of ${ratio.toFixed(1)} is too little to read`);
      await shot(`preview-${name}`);
    }
    configure({});
    await page.locator('.monaco-workbench.vs-dark').waitFor();
  },
  'changes the Kubernetes version from the status bar': async () => {
    await status.click();
    await row('Select Kubernetes version').click();
    await row('Kubernetes 1.35').click();
    await status.filter({ hasText: 'Berth: 1.35' }).waitFor();
    await preview.getByText('Kubernetes 1.35').waitFor();
    assert.match(readFileSync(join(folder, '.vscode/settings.json'), 'utf8'), /"berth\.kubernetesVersion": "1\.35"/);
  },
  'changes the cluster from the status bar': async () => {
    await status.click();
    await row('Select cluster source').click();
    await row('Default cluster').click();
    await status.filter({ hasText: 'default' }).waitFor();
    await preview.locator('.facts', { hasText: 'default' }).waitFor();
  },
  'has nothing to complain about': async () => {
    assert.deepEqual(await page.locator('.notification-list-item').allInnerTexts(), []);
  },
};

const names = Object.keys(steps);
const done = [];
try {
  for (const name of names) {
    const start = Date.now();
    await steps[name]();
    done.push(name);
    console.log(`  ok ${name} (${Date.now() - start} ms)`);
  }
} catch (error) {
  await shot('failure');
  const log = editor.log().slice(-2000);
  console.log(
    `FAIL ${names[done.length]}\n${error.stack}\nThe editor's log ends with:\n${log}\nSee artifacts/failure.png.`,
  );
  const left = names.slice(done.length + 1);
  if (left.length > 0) console.log(`Not run after that: ${left.join('; ')}`);
} finally {
  await browser.close();
  editor.stop();
  rmSync(dirname(folder), { recursive: true, force: true });
}

// Steps build on each other: those that could not run any more have failed.
const counts = { passed: done.length, failed: names.length - done.length };
writeFileSync(join(artifacts, 'e2e.json'), JSON.stringify(counts));
if (values['update-screenshot'] && counts.failed === 0) {
  mkdirSync(join(root, 'docs/images'), { recursive: true });
  copyFileSync(join(artifacts, 'preview.png'), join(root, 'docs/images/preview.png'));
}
process.exitCode = counts.failed === 0 ? 0 : 1;
