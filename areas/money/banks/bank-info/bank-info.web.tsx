import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { bankInfo } from './bank-info.contract.ts'

export default resourceWeb(bankInfo, { form: { after: () => '/bank-settings?tab=notes' } })
