/**
 * `npm run provider`: a provider of single sign-on on this machine, for trying it: it tells which settings the application
 * is then started with. Whoever signs in there types an address of the demo university, and anything as password.
 * `npm run provider -- saml` speaks SAML 2.0, else OpenID Connect.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ownMetadata } from '#areas/people/access-and-people/saml/saml.server.ts'
import { readConfig } from '#kit/server/base/config.ts'
import { PROVIDER_CLIENT, openProvider } from '../../demo/provider.ts'
import { openSamlProvider } from '../../demo/saml-provider.ts'

const PORT = 3900
const DOMAIN = 'canopus.example.edu'
const config = readConfig(process.env)
const tell = (where: string, settings: string) =>
  console.log(
    `Single sign-on answers at ${where}. Start the application with it in another terminal:\n\n  ${settings}\n`,
  )

if (process.argv[2] === 'saml') {
  // A file that is not there yet: what we say of ourselves does not depend on the provider.
  const file = path.join(config.dataDir, 'saml-provider.xml')
  const { saml, ...own } = readConfig({ ...process.env, SAML_METADATA: file })
  const provider = await openSamlProvider(await ownMetadata({ ...own, saml }, saml!), { port: PORT })
  await mkdir(config.dataDir, { recursive: true })
  await writeFile(file, provider.metadata)
  tell(
    provider.entityId,
    `SAML_METADATA=${file} SAML_TRUST_EMAIL=1 \\\n  SAML_EMAIL_DOMAINS=${DOMAIN} npm run dev\n\nand choose mail as the attribute of the address at /settings/saml.`,
  )
} else {
  const { issuer } = await openProvider([`${config.publicUrl}/login`], { port: PORT })
  tell(
    issuer,
    `OIDC_ISSUER=${issuer} OIDC_CLIENT_ID=${PROVIDER_CLIENT.id} OIDC_CLIENT_SECRET=${PROVIDER_CLIENT.secret} \\\n  OIDC_EMAIL_DOMAINS=${DOMAIN} npm run dev`,
  )
}
