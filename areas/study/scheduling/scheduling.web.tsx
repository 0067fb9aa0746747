import { officeHoursOfInstructor, weekOfInstructor } from '#areas/people/people/outlets.contract.ts'
import { ahead, defineAreaWeb, fill } from '#kit/web/router/index.ts'

const timetable = () => import('./timetables/timetable-screen.web.tsx')

export default defineAreaWeb({
  area: 'scheduling',
  screens: {
    '/schedule-settings': () => import('./schedule-settings.web.tsx'),
    '/schedules': () => import('./timetables/schedules.web.tsx'),
    '/offerings/my_schedule/:id?': () => import('./timetables/my-schedule.web.tsx'),
    '/schedules/board': () => import('./board/board.web.tsx'),
    '/calendar': () => import('./calendars/calendar.web.tsx'),
    '/location/schedule/:id': timetable,
    '/instructor/schedule/:id': timetable,
    '/student/schedule/:id': timetable,
    '/offerings/schedule/:id': timetable,
  },
  ahead: async ({ user }) => {
    const { timetableCalls } = await import('./timetables/timetable.contract.ts')
    const type = user.student_id ? 'student' : 'instructor'
    return [ahead(timetableCalls.listOwnEvents, { params: { type }, body: {} })]
  },
  resources: {
    slot: () => import('./slots/slot.web.tsx'),
    examSlot: () => import('./exam-slots/exam-slot.web.tsx'),
    building: () => import('./places/building.web.tsx'),
    location: () => import('./places/location.web.tsx'),
    buildingDistance: () => import('./places/distance.web.tsx'),
  },
  fills: [
    fill(weekOfInstructor, async () => (await import('./timetables/of-instructor.web.tsx')).WeekOfInstructor),
    fill(
      officeHoursOfInstructor,
      async () => (await import('./office-hours/of-instructor.web.tsx')).OfficeHoursOfInstructor,
    ),
  ],
})
