// Where the parts of the preview are, for its tests.

/** @param {object} session What startSession gives. */
export function partsOf({ page, preview, command }) {
  const button = name => preview.getByRole('button', { name, exact: true });
  const strip = preview.locator('.strip');
  const frame = async () => (await preview.locator('body').elementHandle()).ownerFrame();
  return {
    button,
    strip,
    tab: name => preview.getByRole('tab', { name }),
    chip: text => strip.locator('.chip', { hasText: text }),
    /** A Pod in the list, of the namespace default. */
    pod: name => preview.locator(`[data-key="list:default/${name}"]`),
    status: preview.locator('.decision [role="status"]'),
    slider: preview.locator('.timeline input'),
    async choose(name) {
      await preview.locator(`[data-key="list:default/${name}"]`).click();
      await preview.locator('.pod-facts strong', { hasText: name }).waitFor();
    },
    /** Shows all that can be closed: a card for each node, every Pod of each workload, the turns, and what can be tried. */
    async openAll() {
      await button('Cards').click();
      for (const name of ['Turns']) await preview.locator('summary', { hasText: name }).click();
      await button('What if…').click();
      await preview.getByRole('treeitem').first().press('*');
    },
    /** Opens the preview beside the manifest that is open. */
    async openBeside() {
      await page.locator('.codelens-decoration a:visible').first().waitFor();
      await command('Berth: Preview Placement');
      await preview.locator('.counts').waitFor();
    },
    /** Gives the preview the whole window. */
    async maximize() {
      await page.locator('.tab', { hasText: 'Placement' }).click();
      await command('View: Toggle Maximize Editor Group');
      await page.locator('.tab', { hasText: /\.yaml/ }).waitFor({ state: 'hidden' });
    },
    async reset() {
      if (await strip.isVisible()) await button('Reset').click();
      await strip.waitFor({ state: 'detached' });
    },
    /** Waits until nothing is drawn any more: until the page was the same for some frames. */
    async atRest() {
      await (await frame()).evaluate(
        () =>
          new Promise(resolve => {
            let unchanged = 0;
            const observer = new MutationObserver(() => {
              unchanged = 0;
            });
            observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
            const look = () => {
              unchanged += 1;
              if (unchanged < 8) return requestAnimationFrame(look);
              observer.disconnect();
              return resolve();
            };
            requestAnimationFrame(look);
          }),
      );
    },
    /** The frame that has the page of the preview: what runs there may look at the document. */
    frame,
  };
}
