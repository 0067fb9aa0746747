import { defineAreaServer } from '#kit/server/http/area.ts'
import { appointments } from './appointments/appointment.server.ts'
import { sendEntranceMail } from './appointments/mail.server.ts'
import { entranceLeft } from './bookings/book.server.ts'
import { entranceBookingHandlers } from './bookings/bookings.server.ts'
import { doorListHandlers } from './bookings/door-list.server.ts'
import { placeEntrance, placeEntranceHandlers } from './bookings/place-all.server.ts'
import { entranceExamsArea } from './entrance-exams.contract.ts'
import { entranceExamsTold } from './entrance-exams.told.contract.ts'
import { entranceResultHandlers } from './results/enter.server.ts'
import { entranceSheetHandlers } from './results/sheet.server.ts'

export const entranceExamsServer = defineAreaServer({
  area: entranceExamsArea,
  told: entranceExamsTold,
  handlers: [
    appointments.handlers,
    entranceBookingHandlers,
    placeEntranceHandlers,
    doorListHandlers,
    entranceResultHandlers,
    entranceSheetHandlers,
  ],
  hears: [entranceLeft],
  jobs: [sendEntranceMail, placeEntrance],
})
