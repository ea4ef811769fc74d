import type { RenderLive } from '#api/live/renderer.ts';
import { Playbook } from '#api/playbook/playbook.ts';

/** What is sold: the chapters, with the page of them all rendered in the frame of the site. */
export async function renderPlaybook(render: RenderLive): Promise<Playbook> {
  const { html, json } = await render('/playbook/whole', { isPlaybookSold: true });
  return Playbook.parse({ ...JSON.parse(json).data, html });
}
