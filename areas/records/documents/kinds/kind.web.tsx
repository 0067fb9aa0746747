import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { documentKind } from './kind.contract.ts'

export default resourceWeb(documentKind, {
  form: { initial: () => ({ whose: 'students', nationality: 'all', told_days: 30 }) },
})
