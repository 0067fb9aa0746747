import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { TemplatePreview } from './preview.web.tsx'
import { TemplateInput } from './template.web.tsx'
import { certificateSetting } from './type.contract.ts'
import { TemplateVersions } from './versions.web.tsx'

/** Types of certificates: their texts are written with fields among the words, beside what becomes of them. */
export default resourceWeb(certificateSetting, {
  inputs: { body: TemplateInput, body_local: TemplateInput },
  form: { wide: true, Aside: TemplatePreview, Below: TemplateVersions as never },
})
