import { f, lookup } from '#kit/contract/index.ts'

/** Texts that answer what is asked often: who answers a ticket takes one into the reply, and changes it there. */
export const answerText = lookup('answerText', {
  path: '/answer-texts',
  one: ['Answer text', 'نص رد'],
  many: ['Answer texts', 'نصوص الرد'],
  adding: ['Add answer text', 'إضافة نص رد'],
  editing: ['Edit answer text', 'تعديل نص رد'],
  fields: {
    group_id: f.lookup(['Ticket group', 'مجموعة التذاكر'], 'ticketGroup', {
      help: ['Of the group and those beneath it; empty: of all.', 'للمجموعة وما يتبعها؛ وإن تُركت فارغة فللجميع.'],
    }),
    text_local: f.longText(['Text (Arabic)', 'النص (بالعربية)'], {
      required: true,
      max: 2000,
      help: ['{name} becomes the name of who asked.', 'يُستبدل {name} باسم صاحب التذكرة.'],
    }),
    text: f.longText(['Text', 'النص (باللاتينية)'], { required: true, max: 2000 }),
  },
  menu: { group: 'settings', order: 81, icon: 'message-2', setup: true },
})
