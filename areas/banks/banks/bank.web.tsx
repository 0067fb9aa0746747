import { Code } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { bank } from './bank.contract.ts'
import { grouped } from './bank.rules.ts'

export default resourceWeb(bank, {
  form: { after: () => '/bank-settings' },
  cells: { iban: ({ value }) => <Code>{grouped(String(value))}</Code> },
})
