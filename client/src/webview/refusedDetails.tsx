import type { PreviewRefusal } from '../../../server/src/analysis/previewModel';
import { strings } from './text/strings';

/** Why Pods never come into the cluster, in the server's words. */
export function RefusedDetails({ refusal: { id, namespace, owner, pods, message } }: { refusal: PreviewRefusal }) {
  const words = strings.refused;
  return (
    <section class="details" aria-label={strings.details.label(id)} data-key="details">
      <ul class="pod-facts">
        <li>
          <strong>{owner ?? id}</strong>
        </li>
        <li>{strings.details.namespace(namespace)}</li>
        <li>{words.count(pods)}</li>
      </ul>
      <section class="block">
        <h2>{words.words}</h2>
        <p class="message">{message}</p>
      </section>
    </section>
  );
}
