import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  key: Buffer;
  cert: Buffer;
}

let made: Certificate | undefined;

/** For a server of the test on this machine; it signs itself and holds for two days. */
export function certificate(): Certificate {
  if (made) return made;
  const folder = mkdtempSync(join(tmpdir(), 'ridgepoint-certificate-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const names = 'subjectAltName=IP:127.0.0.1,DNS:localhost';
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const told = ['-subj', '/CN=localhost', '-addext', names, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...kind, ...told, '-keyout', key, '-out', cert], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  made = { key: readFileSync(key), cert: readFileSync(cert) };
  rmSync(folder, { recursive: true });
  return made;
}
