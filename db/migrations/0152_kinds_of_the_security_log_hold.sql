-- Every line of the log has one of the kinds. Reading and writing go on meanwhile.
alter table security_log validate constraint security_log_kind;
