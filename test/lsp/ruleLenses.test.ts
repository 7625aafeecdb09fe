import { expect, it } from 'vitest';
import { startClient } from './client';

const pod = (image: string): string =>
  `apiVersion: v1\nkind: Pod\nmetadata: { name: web }\nspec: { containers: [{ name: web, image: "${image}" }] }\n`;

it('asks for the lenses over the rules of berth.yaml anew when another file is changed', async () => {
  const rules =
    'rules:\n  - name: tagged\n    expression: "!object.spec.containers.exists(c, c.image.endsWith(\':latest\'))"\n';
  const client = await startClient({ files: { 'file:///ws/berth.yaml': rules, 'file:///ws/pod.yaml': pod('web:1') } });
  client.open('file:///ws/berth.yaml', rules);
  client.open('file:///ws/pod.yaml', pod('web:1'));
  const lenses = async () =>
    (
      await client.connection.sendRequest<readonly { readonly command: { readonly title: string } }[]>(
        'textDocument/codeLens',
        {
          textDocument: { uri: 'file:///ws/berth.yaml' },
        },
      )
    ).map(it => it.command.title);
  await expect.poll(lenses).toEqual(['selects 1 object, rejects none']);
  await new Promise(resolve => setTimeout(resolve, 300));
  let asked = 0;
  client.connection.onRequest('workspace/codeLens/refresh', () => {
    asked += 1;
    return null;
  });
  client.change('file:///ws/pod.yaml', 2, pod('web:latest'));
  await expect.poll(() => asked).toBeGreaterThan(0);
  expect(await lenses()).toEqual(['rejects 1 of 1 object']);
});
