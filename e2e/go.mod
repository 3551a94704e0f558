module firstscreen/e2e

go 1.25
