import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { student } from './student.contract.ts'

const filtered = (filters: unknown): string => `filters=${encodeURIComponent(JSON.stringify(filters))}`

export default resourceWeb(student, {
  list: {
    views: [
      { key: 'studying', label: ['Studying', 'المقيدون'], query: filtered({ status: ['studying'] }) },
      {
        key: 'warned',
        label: ['Under warning', 'المنذرون'],
        of: 'warnings',
        query: `${filtered({ status: ['studying'], warnings: { from: 1 } })}&order=-warnings`,
      },
      { key: 'graduated', label: ['Graduates', 'الخريجون'], query: filtered({ status: ['graduated'] }) },
    ],
    empty: {
      title: ['No students here', 'لا يوجد طلاب هنا'],
      text: [
        'Add students one by one, or bring many with a sheet.',
        'أضف الطلاب واحدًا واحدًا أو استورد مجموعة منهم من ملف.',
      ],
    },
  },
  form: { initial: () => ({ status: 'studying', level: 1 }) },
})
