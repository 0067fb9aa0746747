import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import { part } from '#kit/web/later.ts'
import { listPanel } from '#kit/web/list/list-panel.tsx'
import { faculty } from './faculty.contract.ts'
import { department } from '../departments/department.contract.ts'
import { program } from '../programs/program.contract.ts'
import { bylaw } from '../bylaws/bylaw.contract.ts'

export default resourceWeb(faculty, {
  detail: {
    panels: [
      {
        key: 'departments',
        title: ['Departments', 'الأقسام'],
        ...listPanel(
          department,
          () => import('../departments/department.web.tsx'),
          (row) => ({ faculty_id: row.id }),
        ),
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        ...listPanel(
          program,
          () => import('../programs/program.web.tsx'),
          (row) => ({ faculty_id: row.id }),
        ),
      },
      {
        key: 'bylaws',
        title: ['Bylaws', 'اللوائح'],
        ...listPanel(
          bylaw,
          () => import('../bylaws/bylaw.web.tsx'),
          (row) => ({ faculty_id: row.id }),
        ),
      },
      {
        key: 'past',
        title: ['Names and successors', 'الأسماء والمآل'],
        Content: part(async () => (await import('../units/unit.web.tsx')).PastOfFaculty),
      },
    ],
  },
})
