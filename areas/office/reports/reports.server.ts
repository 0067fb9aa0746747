import { defineAreaServer } from '#kit/server/http/area.ts'
import { financeHandlers } from './finance/dashboard.server.ts'
import { agingHandlers } from './financial/aging.server.ts'
import { feesHandlers } from './financial/fees.server.ts'
import { fileHandlers } from './financial/file.server.ts'
import { financialHandlers } from './financial/financial.server.ts'
import { linkHandlers } from './financial/links.server.ts'
import { paymentsHandlers } from './financial/payments.server.ts'
import { figuresHandlers } from './figures/figures.server.ts'
import { keptFiguresJob, workOutFiguresJob } from './figures/kept-jobs.server.ts'
import { rowsSheetHandlers, rowsSheetJob } from './figures/rows-sheet.server.ts'
import { ownReportMails } from './own/mail.server.ts'
import { ownReportHandlers } from './own/own.server.ts'
import { pinnedReports } from './own/pins.server.ts'
import { ownReportsTold } from './own/own.told.contract.ts'
import { overviewHandlers } from './overview/overview.server.ts'
import { roomUseHandlers } from './rooms/rooms.server.ts'
import { reportsArea } from './reports.contract.ts'

export const reportsServer = defineAreaServer({
  area: reportsArea,
  handlers: [
    overviewHandlers,
    financeHandlers,
    financialHandlers,
    paymentsHandlers,
    agingHandlers,
    feesHandlers,
    fileHandlers,
    linkHandlers,
    figuresHandlers,
    rowsSheetHandlers,
    ownReportHandlers,
    roomUseHandlers,
  ],
  jobs: [rowsSheetJob, workOutFiguresJob, keptFiguresJob, ownReportMails],
  work: pinnedReports,
  told: ownReportsTold,
})
