import { resourceWeb } from '#kit/web/fields/resource-web.ts'
import ResourceList from '#kit/web/list/resource-list.tsx'
import bylawWeb from '../bylaws/bylaw.web.tsx'
import departmentWeb from '../departments/department.web.tsx'
import programWeb from '../programs/program.web.tsx'
import { faculty } from './faculty.contract.ts'

export default resourceWeb(faculty, {
  detail: {
    panels: [
      {
        key: 'departments',
        title: ['Departments', 'الأقسام'],
        Content: ({ row }) => <ResourceList web={departmentWeb} page={false} fixed={{ faculty_id: row.id }} />,
      },
      {
        key: 'programs',
        title: ['Programs', 'البرامج'],
        Content: ({ row }) => <ResourceList web={programWeb} page={false} fixed={{ faculty_id: row.id }} />,
      },
      {
        key: 'bylaws',
        title: ['Bylaws', 'اللوائح'],
        Content: ({ row }) => <ResourceList web={bylawWeb} page={false} fixed={{ faculty_id: row.id }} />,
      },
    ],
  },
})
