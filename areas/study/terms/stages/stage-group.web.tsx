import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { stageGroup } from './stage.contract.ts'

export default resourceWeb(stageGroup)
