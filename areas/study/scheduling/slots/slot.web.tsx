import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { slot } from './slot.contract.ts'

export default resourceWeb(slot, { form: { after: () => '/schedule-settings?tab=slots' } })
