import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { to } from '#kit/web/router/index.ts'
import { emtyazCourse } from './year.contract.ts'

/** What the address says of a new course: `/emtyaz/add_course/3/1` is of bylaw 3 and faculty 1. */
function initial(): Readonly<Record<string, unknown>> {
  const [, , bylaw, faculty] = /^\/emtyaz\/(add_course)\/?(\d+)?\/?(\d+)?/.exec(window.location.pathname) ?? []
  return {
    ...(bylaw && { bylaw_id: Number(bylaw) }),
    ...(faculty && { faculty_id: Number(faculty) }),
    pass_mark: '60.00',
    // What rotations are usually judged by.
    criteria: [
      { name: 'Knowledge', name_local: 'المعرفة', max_mark: '40.00' },
      { name: 'Skill', name_local: 'المهارة', max_mark: '40.00' },
      { name: 'Conduct', name_local: 'السلوك المهني', max_mark: '20.00' },
    ],
  }
}

/** Courses of the internship year; each opens with its training types. */
export default resourceWeb(emtyazCourse, {
  form: { initial },
  list: {
    rowHref: (row) => to('/emtyaz/course/show/:id/:bylaw?', { id: row.id }),
    empty: {
      title: ['No courses of the internship year', 'لا توجد مقررات امتياز'],
      text: [
        'A course is marked by criteria, and made of training types of so many weeks each.',
        'يُقيَّم المقرر بمعايير ويتكون من أنواع تدريب لكل منها عدد أسابيع.',
      ],
    },
  },
})
