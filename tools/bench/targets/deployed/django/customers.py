"""Django with an API of customers: JSON at /customers and /customers/{id}, and a JWT that is verified on each request."""
import json
import os

from settings import configure

configure(ROOT_URLCONF='customers', MIDDLEWARE=['django.middleware.common.CommonMiddleware', 'customers.check_token'])

import jwt
from django.core.wsgi import get_wsgi_application
from django.db import models
from django.forms.models import model_to_dict
from django.http import HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.urls import path

with open(os.environ['KEY_FILE']) as file:
    KEY = jwt.algorithms.ECAlgorithm.from_jwk(file.read())


class Customer(models.Model):
    id = models.IntegerField(primary_key=True)
    name = models.CharField(max_length=100)
    age = models.IntegerField()
    address = models.CharField(max_length=200)

    class Meta:
        app_label = 'customers'
        db_table = 'customer'


def check_token(get_response):
    def middleware(request):
        try:
            token = request.headers['authorization'][len('Bearer '):]
            jwt.decode(token, KEY, algorithms=['ES256'], audience=os.environ['AUDIENCE'], issuer=os.environ['ISSUER'])
        except (KeyError, jwt.InvalidTokenError):
            return HttpResponse(status=401)
        return get_response(request)
    return middleware


def customers(request):
    if request.method == 'GET':
        return JsonResponse({'items': list(Customer.objects.order_by('id').values()[:50])})
    if request.method == 'POST':
        customer = Customer(**json.loads(request.body))
        customer.save(force_insert=True)
        return JsonResponse(model_to_dict(customer), status=201)
    return HttpResponseNotAllowed(['GET', 'POST'])


def customer(request, id):
    found = Customer.objects.filter(id=id).first()
    if found is None:
        return HttpResponse(status=404)
    if request.method == 'GET':
        return JsonResponse(model_to_dict(found))
    if request.method == 'PUT':
        changed = Customer(**{**json.loads(request.body), 'id': id})
        changed.save(force_update=True)
        return JsonResponse(model_to_dict(changed))
    if request.method == 'DELETE':
        found.delete()
        return HttpResponse(status=204)
    return HttpResponseNotAllowed(['GET', 'PUT', 'DELETE'])


urlpatterns = [path('customers', customers), path('customers/<int:id>', customer)]
application = get_wsgi_application()
