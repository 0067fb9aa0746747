import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { to } from '#kit/web/router/index.ts'
import { questionnaireQuestion } from './question.contract.ts'

/** Whoever works on a type comes back to its questions. */
export default resourceWeb(questionnaireQuestion, {
  form: {
    initial: () => ({ required: true }),
    after: ({ type_id }) => (type_id === null ? null : to('/questionnaires_types/show/:id', { id: type_id })),
  },
})
