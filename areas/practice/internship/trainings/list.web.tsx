import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { emtyazTraining } from './training.contract.ts'

/** Trainings of the internship year; each opens with its places, who supervises, and who is there. */
export default resourceWeb(emtyazTraining, {
  list: {
    empty: {
      title: ['No trainings', 'لا توجد تدريبات'],
      text: [
        'What departments of hospitals offer in a year stands here.',
        'تظهر هنا التدريبات التي تقدمها أقسام المستشفيات في السنة.',
      ],
    },
  },
})
