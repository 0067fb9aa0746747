/**
 * `npm run provider`: a provider of single sign-on on this machine, for trying it: it tells which settings the application
 * is then started with. Whoever signs in there types an address of the demo university, and anything as password.
 */
import { readConfig } from '#kit/server/config.ts'
import { PROVIDER_CLIENT, openProvider } from '../../demo/provider.ts'

const PORT = 3900
const { publicUrl } = readConfig(process.env)
const { issuer } = await openProvider([`${publicUrl}/login`], { port: PORT })
console.log(`Single sign-on answers at ${issuer}. Start the application with it in another terminal:

  OIDC_ISSUER=${issuer} OIDC_CLIENT_ID=${PROVIDER_CLIENT.id} OIDC_CLIENT_SECRET=${PROVIDER_CLIENT.secret} \\
  OIDC_EMAIL_DOMAINS=canopus.example.edu npm run dev
`)
