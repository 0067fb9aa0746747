/**
 * `npm run payment-simulator`: FawryPay and Paymob Accept on this machine, for trying payments. It tells which settings the
 * application is then started with; `npm start` opens it by itself.
 */
import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { readConfig } from '#kit/server/base/config.ts'
import { openPaymentSimulator } from '../../demo/payment-simulator.ts'

const PORT = 3901
const config = readConfig(process.env)
mkdirSync(config.dataDir, { recursive: true })
const { url, variables } = await openPaymentSimulator({
  port: PORT,
  callbacks: config.publicUrl,
  file: path.join(config.dataDir, 'payment-simulator.json'),
  ofChance: true,
})
const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`)
console.log(
  `The payment simulator answers at ${url}. Start the application with it in another terminal:\n\n  ${settings.join(' \\\n  ')} \\\n  npm run dev\n`,
)
