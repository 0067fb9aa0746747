import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { building } from './place.contract.ts'

export default resourceWeb(building, { form: { after: () => '/schedule-settings?tab=buildings' } })
