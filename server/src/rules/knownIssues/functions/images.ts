import { asList, asObject, asText, type JsonObject } from '../../../base/json';
import { fieldAt } from '../../../manifest/valueAt';
import type { Snapshot } from '../../../workspace/workspace';
import { hasLatestTag } from '../../apiserver/validate/podSpec/containers/containerDefaults';
import type { RuleContext } from '../../framework/rule';
import { podSpecOf } from '../../reading/podSpec';
import type { IssueFunction } from './issueFunction';

/** Whether a container uses the copy of an image on the node without a secret, and another Pod pulls the image with one. */
export const isPulledWithSecretElsewhere: IssueFunction = (self, target, context) => {
  const [image, spec] = [asText(fieldAt(self, 'image')), podSpecOf(target)?.spec];
  if (image === undefined || spec === undefined || !mayUseCopy(self as JsonObject, image)) return false;
  const { object } = target;
  if (hasSecrets(spec) || hasSecrets(accountOf(spec, object.namespace, context.snapshot))) return false;
  return imagesWithSecrets(context).has(image) && !isNeverVerified(context.snapshot);
};

/** Upstream: SetDefaults_Container. */
function mayUseCopy({ imagePullPolicy }: JsonObject, image: string): boolean {
  return imagePullPolicy === undefined ? !hasLatestTag(image) : imagePullPolicy !== 'Always';
}

const hasSecrets = (holder: JsonObject | undefined): boolean => asList(holder?.imagePullSecrets).length > 0;

function accountOf(spec: JsonObject, namespace: string | undefined, snapshot: Snapshot): JsonObject | undefined {
  const name = asText(spec.serviceAccountName) ?? 'default';
  return snapshot.find('', 'ServiceAccount', namespace ?? 'default', name)[0]?.manifest.value;
}

/** The images of the Pods and workloads that have `imagePullSecrets`; found once for all objects. */
function imagesWithSecrets({ snapshot, kube }: RuleContext): ReadonlySet<string> {
  return kube.parts.of('known issues: images with secrets', snapshot, () => {
    const { references } = snapshot;
    const images = references
      .namespacesOfPods()
      .flatMap(it => references.podsIn(it))
      .map(({ object }) => podSpecOf({ object, value: object.manifest.value, kind: undefined })?.spec)
      .filter(it => hasSecrets(it))
      .flatMap(it => [...asList(it?.initContainers), ...asList(it?.containers)])
      .map(it => asText(asObject(it)?.image) ?? '');
    return new Set(images);
  });
}

/** Upstream: NeverVerify of ImagePullCredentialsVerificationPolicy. */
function isNeverVerified(snapshot: Snapshot): boolean {
  return snapshot
    .objectsOf('kubelet.config.k8s.io', 'KubeletConfiguration')
    .some(it => it.manifest.value.imagePullCredentialsVerificationPolicy === 'NeverVerify');
}
