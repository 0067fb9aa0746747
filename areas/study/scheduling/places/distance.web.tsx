import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { buildingDistance } from './distance.contract.ts'

export default resourceWeb(buildingDistance, { form: { after: () => '/schedule-settings?tab=ways' } })
