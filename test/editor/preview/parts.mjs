// Where the parts of the preview are, for its tests.

/** @param {object} session What startSession gives. */
export function partsOf({ page, preview, command }) {
  const button = name => preview.getByRole('button', { name, exact: true });
  const strip = preview.locator('.strip');
  return {
    button,
    strip,
    tab: name => preview.getByRole('tab', { name }),
    chip: text => strip.locator('.chip', { hasText: text }),
    /** A Pod in the list, of the namespace default. */
    pod: name => preview.locator(`[data-key="list:default/${name}"]`),
    status: preview.locator('main [role="status"]'),
    slider: preview.locator('.timeline input'),
    async choose(name) {
      await preview.locator(`[data-key="list:default/${name}"]`).click();
      await preview.locator('.pod-facts strong', { hasText: name }).waitFor();
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
    /** The frame that has the page of the preview: what runs there may look at the document. */
    async frame() {
      return (await preview.locator('body').elementHandle()).ownerFrame();
    },
  };
}
