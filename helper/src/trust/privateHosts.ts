import { isPublicAddress } from '../names/addressPolicy.ts';
import type { CertificateName } from './certificateName.ts';

/** Names that no authority of the web certifies, since they mean something else in each network: RFC 6761, 6762 (.local), 8375 (home.arpa), 7686 (.onion), ICANN 2024 (.internal), and what routers have made up. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'onion', 'lan', 'home', 'corp', 'intranet', 'private', 'localdomain', 'fritz.box'];

/** Whether a host is of this machine or its own network: a device there has a certificate that only its owner can judge, and it is near anyway. */
export function isPrivateHost({ type, value }: CertificateName): boolean {
  if (type === 'ip') return !isPublicAddress(value);
  return !value.includes('.') || PRIVATE_SUFFIXES.some((suffix) => value.endsWith(`.${suffix}`));
}
