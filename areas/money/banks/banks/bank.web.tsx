import { Code } from '#kit/web/feedback/index.ts'
import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { bank } from './bank.contract.ts'
import { groupedIban } from './bank.rules.ts'

export default resourceWeb(bank, {
  // An IBAN that is cut is none.
  list: { columns: (all) => all.map((one) => (one.key === 'iban' ? { ...one, width: 300, least: 290 } : one)) },
  form: { initial: () => ({ is_active: true }), after: () => '/bank-settings' },
  cells: { iban: ({ value }) => <Code>{groupedIban(String(value))}</Code> },
})
