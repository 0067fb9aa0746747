import { demoLookup } from '#demo/part.ts'
import { examSlot } from './exam-slot.contract.ts'

const at = (start_time: string, end_time: string, ramadan_start_time: string, ramadan_end_time: string) => ({
  start_time,
  end_time,
  ramadan_start_time,
  ramadan_end_time,
})

export default demoLookup(examSlot, [
  ['E1', 'Morning', 'الفترة الصباحية', at('09:00', '11:00', '10:00', '11:30')],
  ['E2', 'Noon', 'فترة الظهيرة', at('11:30', '13:30', '12:00', '13:30')],
  ['E3', 'Afternoon', 'فترة بعد الظهر', at('14:00', '16:00', '14:00', '15:30')],
])
