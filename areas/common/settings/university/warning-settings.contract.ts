import { z } from 'zod'
import { flagText, type SettingDefinition } from './kinds.contract.ts'

const points = z.string().regex(/^[1-9]\d?$/)
/** Settings of early warning: whether it is, whether students see their own, and from how many points on. */
export const WARNING_SETTINGS = {
  early_warning: {
    label: ['Early warning is on', 'تفعيل الإنذار المبكر'],
    group: 'early_warning',
    schema: flagText,
    public: false,
    initial: 'false',
  },
  early_warning_own: {
    label: ['Students see what stands out in their own term', 'يرى الطالب ما يلفت النظر في فصله'],
    group: 'early_warning',
    schema: flagText,
    public: false,
    initial: 'true',
  },
  early_warning_watch: {
    label: ['Points from which a student is kept an eye on', 'عدد النقاط الذي تبدأ عنده المتابعة'],
    group: 'early_warning',
    schema: points,
    public: false,
    initial: '3',
  },
  early_warning_high: {
    label: ['Points from which a student is offered help first', 'عدد النقاط الذي تُعطى عنده الأولوية في المساعدة'],
    group: 'early_warning',
    schema: points,
    public: false,
    initial: '6',
  },
} as const satisfies Record<string, SettingDefinition>
