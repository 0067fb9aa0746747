import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { department } from './department.contract.ts'
import { course } from '../courses/course.contract.ts'
import { program } from '../programs/program.contract.ts'

export default resourceWeb(department, {
  detail: {
    panels: [
      {
        key: 'courses',
        title: ['Courses', 'المقررات'],
        ...listPanel(
          course,
          () => import('../courses/course.web.tsx'),
          (row) => ({ department_id: row.id }),
        ),
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        ...listPanel(
          program,
          () => import('../programs/program.web.tsx'),
          (row) => ({ department_id: row.id }),
        ),
      },
    ],
  },
})
