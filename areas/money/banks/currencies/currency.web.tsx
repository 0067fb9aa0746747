import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { currency } from './currency.contract.ts'

export default resourceWeb(currency, { form: { after: () => '/bank-settings?tab=currencies' } })
