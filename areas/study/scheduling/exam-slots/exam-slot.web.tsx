import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { examSlot } from './exam-slot.contract.ts'

export default resourceWeb(examSlot, { form: { after: () => '/schedule-settings?tab=exam-slots' } })
