-- Which client wrote which entry is only in the memory of each instance.
drop table writer_marks;
