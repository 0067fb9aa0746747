import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { markCategory } from './mark.contract.ts'

export default resourceWeb(markCategory)
