export { OwnStaffStatement as default } from './statement.web.tsx'
