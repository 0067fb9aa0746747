export { OwnStatement as default } from './statement.web.tsx'
