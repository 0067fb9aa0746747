/** `npm run tax-simulator`: Egypt's tax authority on this machine, for trying receipts. It tells which settings the application is started with. */
import { openTaxSimulator } from '../../demo/tax-simulator.ts'

const { url, variables } = await openTaxSimulator({ port: 3903 })
const settings = Object.entries(variables).map(([name, value]) => `${name}='${value}'`)
console.log(
  `The tax simulator answers at ${url}. Start the application with it in another terminal, and switch it on in the settings of the university:\n\n  ${settings.join(' \\\n  ')} \\\n  npm run dev\n`,
)
