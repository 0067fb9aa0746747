export { MyScheduleScreen as default } from './timetable-screen.web.tsx'
