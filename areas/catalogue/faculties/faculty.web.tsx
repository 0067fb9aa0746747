import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { faculty } from './faculty.contract.ts'

export default resourceWeb(faculty, {
  detail: {
    panels: [
      {
        key: 'departments',
        title: ['Departments', 'الأقسام'],
        Content: listPanel(
          () => import('../departments/department.web.tsx'),
          (row) => ({ faculty_id: row.id }),
        ),
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        Content: listPanel(
          () => import('../programs/program.web.tsx'),
          (row) => ({ faculty_id: row.id }),
        ),
      },
      {
        key: 'bylaws',
        title: ['Bylaws', 'اللوائح'],
        Content: listPanel(
          () => import('../bylaws/bylaw.web.tsx'),
          (row) => ({ faculty_id: row.id }),
        ),
      },
    ],
  },
})
