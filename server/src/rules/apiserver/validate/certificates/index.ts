import type { Strategies } from '../errors';
import { podCertificateRequest } from './podCertificate';
import { certificateSigningRequest } from './signingRequest';
import { clusterTrustBundle } from './trustBundle';

/** Certificates, by `group/Kind`. */
export function certificateStrategies(): Strategies {
  return {
    'certificates.k8s.io/CertificateSigningRequest': certificateSigningRequest,
    'certificates.k8s.io/ClusterTrustBundle': clusterTrustBundle,
    'certificates.k8s.io/PodCertificateRequest': podCertificateRequest,
  };
}
