import ResourceForm from '#kit/web/form/resource-form.tsx'
import scheduleWeb from './schedule.web.tsx'

/** Puts an offering into an exam. */
export default function AddScheduleOfOffering() {
  return <ResourceForm web={scheduleWeb} mode="add" />
}
