import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { scholarship } from './scholarship.contract.ts'

export default resourceWeb(scholarship, {
  // Who defines one means to give it: what is not active is not offered where it is granted and applied.
  form: { initial: () => ({ is_active: true }) },
})
