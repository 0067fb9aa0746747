import { defineAreaServer } from '#kit/server/http/area.ts'
import { deploymentHandlers } from './deployment/deployment.server.ts'
import { auditHandlers } from './logs/audit.server.ts'
import { hijriHandlers } from './hijri/hijri.server.ts'
import { logHandlers } from './logs/logs.server.ts'
import { universityMergeHandlers } from './universities-list/merge.server.ts'
import { noticeTextHandlers } from './notice-texts/notice-text.server.ts'
import { retentionHandlers } from './retention/retention.server.ts'
import { settingsArea } from './settings.contract.ts'
import { installInstallable } from './university/installable.server.ts'
import { universityHandlers } from './university/university.server.ts'
import { settingsTold } from './settings.told.contract.ts'

export const settingsServer = defineAreaServer({
  area: settingsArea,
  told: settingsTold,
  handlers: [
    retentionHandlers,
    deploymentHandlers,
    auditHandlers,
    logHandlers,
    universityHandlers,
    universityMergeHandlers,
    hijriHandlers,
    noticeTextHandlers,
  ],
  install: installInstallable,
})
