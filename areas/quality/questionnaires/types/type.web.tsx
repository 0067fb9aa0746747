import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { QuestionsOfType } from './questions-of-type.web.tsx'
import { questionnaireType } from './type.contract.ts'

export default resourceWeb(questionnaireType, {
  detail: {
    panels: [
      {
        key: 'questions',
        title: ['Questions', 'الأسئلة'],
        first: true,
        permission: 'show_questionnaireType',
        Content: QuestionsOfType,
      },
    ],
  },
})
