import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { TemplatePreview } from './preview.web.tsx'
import { TemplateInput } from './template.web.tsx'
import { certificateSetting } from './type.contract.ts'
import { TemplateVersions } from './versions.web.tsx'

type Typed = Readonly<Record<string, unknown>>
/** What is asked of students and their records says nothing of who works here. */
const forStudents = (typed: Typed) => !typed.for_staff

/** Types of certificates: their texts are written with fields among the words, beside what becomes of them. */
export default resourceWeb(certificateSetting, {
  inputs: { body: TemplateInput, body_local: TemplateInput },
  form: {
    wide: true,
    Aside: TemplatePreview,
    Below: TemplateVersions as never,
    visible: {
      needs_photo: forStudents,
      min_level: forStudents,
      desk_at_once: (typed) => forStudents(typed) && typed.document != null && typed.document !== 'text',
    },
  },
})
