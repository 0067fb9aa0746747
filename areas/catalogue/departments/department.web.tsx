import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { department } from './department.contract.ts'

export default resourceWeb(department, {
  detail: {
    panels: [
      {
        key: 'courses',
        title: ['Courses', 'المقررات'],
        Content: listPanel(
          () => import('../courses/course.web.tsx'),
          (row) => ({ department_id: row.id }),
        ),
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        Content: listPanel(
          () => import('../programs/program.web.tsx'),
          (row) => ({ department_id: row.id }),
        ),
      },
    ],
  },
})
